// Signing out takes GraphiQL's queries, variables and history out of this browser, whichever page it is done
// from.
(() => {
  const forget = () => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('graphiql:')) localStorage.removeItem(key);
  };
  addEventListener('submit', (event) => {
    if (!event.target.getAttribute('action')?.startsWith('/sign-out')) return;
    forget();
    // GraphiQL stores what was typed last a moment later, which can be after this.
    addEventListener('pagehide', forget);
  });
})();
