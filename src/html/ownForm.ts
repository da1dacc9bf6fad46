import type { PageStep, PageVisit } from './PageVisit.js';

/**
 * A step for forms of our own pages in this browser; another form is refused, and changes nothing.
 *
 * @param binding what the form belongs to, as its guard was made
 * @param back where the refusal leads
 */
export function ownForm<Visit extends PageVisit>(
  binding: (visit: Visit) => string,
  back: (visit: Visit) => string,
  step: PageStep<Visit>,
): PageStep<Visit> {
  return (visit) => (visit.isOwnForm(binding(visit)) ? step(visit) : visit.refuseForm(back(visit)));
}
