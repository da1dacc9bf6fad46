import type { PageStep, PageVisit } from './PageVisit.js';

/**
 * A step that runs only for forms of this service's own pages in this browser. Other forms are refused and
 * change nothing.
 *
 * @param binding what the form belongs to, as in its guard
 * @param back the link on the refusal page
 */
export function ownForm<Visit extends PageVisit>(
  binding: (visit: Visit) => string,
  back: (visit: Visit) => string,
  step: PageStep<Visit>,
): PageStep<Visit> {
  return (visit) => (visit.isOwnForm(binding(visit)) ? step(visit) : visit.refuseForm(back(visit)));
}
