// A form marked data-once is sent once, however often its button is pressed: a second "Continue" would find
// the link used. Another button of the form sends it again: who stops an approval may decline.
(() => {
  const sent = new WeakMap();
  addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!form.matches('[data-once]')) return;
    if (sent.has(form) && sent.get(form) === submitter) event.preventDefault();
    sent.set(form, submitter);
  });
  // Coming back to a kept page with the browser's button begins anew.
  addEventListener('pageshow', (event) => event.persisted && location.reload());
})();
