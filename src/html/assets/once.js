// A form is sent once, however often its button is pressed: a second "Continue" would find the link used, a
// second sign-up would make another account. Another button of the form sends it again: who stops an approval
// may decline.
(() => {
  // How long a button waits for an answer, in milliseconds. No double click takes so long.
  const WAIT = 10_000;
  let sent;
  addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented) return;
    if (sent?.form === form && sent.submitter === submitter) return event.preventDefault();
    const press = { form, submitter };
    sent = press;
    const again = () => {
      if (sent === press) sent = undefined;
    };
    setTimeout(again, WAIT);
    // Browsers with this interface tell when the navigation is stopped.
    const watch = ({ signal }) => signal.addEventListener('abort', again);
    window.navigation?.addEventListener('navigate', watch, { once: true });
  });
  // Coming back to a kept page with the browser's button begins anew.
  addEventListener('pageshow', (event) => event.persisted && location.reload());
})();
