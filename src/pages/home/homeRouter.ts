import express from 'express';
import { PageVisit } from '../../html/PageVisit.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { homePage } from './homePage.js';
import { PLACES } from './places.js';

/** `/`: a page for browsers, JSON for programs. Both name the service, its URLs and its status. */
export function homeRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get('/', async (request, response) => {
    response.vary('Accept');
    const isReady = await reachesDatabase(services);
    if (request.accepts(['json', 'html']) === 'html')
      showPage(new PageVisit(services, request, response), isReady);
    else response.set('Cache-Control', 'no-store').json(describe(services, isReady));
  });
  return router;
}

function showPage(visit: PageVisit, isReady: boolean): void {
  const { locale, services } = visit;
  visit.show(200, homePage({ locale, baseUrl: services.config.baseUrl, isReady }));
}

function describe({ config }: AccountServices, isReady: boolean): object {
  const places = Object.entries(PLACES).map(([name, path]) => [name, `${config.baseUrl}${path}`]);
  return {
    name: 'Partner Consent and Profile Service',
    status: isReady ? 'ready' : 'not_ready',
    ...Object.fromEntries(places),
  };
}

async function reachesDatabase({ database }: AccountServices): Promise<boolean> {
  try {
    await database.read({ name: 'reached', text: 'SELECT 1' }, []);
    return true;
  } catch {
    return false;
  }
}
