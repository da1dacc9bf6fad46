// Enter on a tick box toggles it, as the space bar does; browsers would send the form.
addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !event.target.matches('input[type=checkbox]')) return;
  event.preventDefault();
  event.target.click();
});
