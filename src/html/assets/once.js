// A form marked data-once is sent once, however often its button is pressed: a second "Continue" would find
// the link used.
(() => {
  const sent = new WeakSet();
  addEventListener('submit', (event) => {
    if (!event.target.matches('[data-once]')) return;
    if (sent.has(event.target)) event.preventDefault();
    sent.add(event.target);
  });
  // Coming back to a kept page with the browser's button begins anew.
  addEventListener('pageshow', (event) => event.persisted && location.reload());
})();
