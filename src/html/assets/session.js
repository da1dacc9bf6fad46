// Counts down to a connection session's end and notices when it ends elsewhere. The page says the time
// without this too.
(() => {
  const clock = document.querySelector('[data-expires-in]');
  if (!clock) return;
  const endsAt = performance.now() + Number(clock.dataset.expiresIn) * 1000;
  const shown = clock.querySelector('time');
  clock.querySelector('span').textContent = clock.dataset.label;
  const reload = () => location.replace(location.pathname + location.search);

  const tick = () => {
    const seconds = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
    shown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    if (seconds === 0) reload();
    else setTimeout(tick, 1000);
  };

  const watch = async () => {
    if (document.hidden) return setTimeout(watch, 2000);
    try {
      const answer = await fetch(clock.dataset.stateUrl, { headers: { accept: 'application/json' } });
      const { status } = await answer.json();
      if (answer.ok && status !== clock.dataset.status) return reload();
    } catch {
      // Offline for a moment: the next round tells.
    }
    setTimeout(watch, 2000);
  };

  tick();
  if (clock.dataset.stateUrl) setTimeout(watch, 2000);
})();
