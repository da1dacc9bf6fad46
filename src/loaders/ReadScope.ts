import type { DocumentForms } from '../documents/DocumentForms.js';
import type { RequestServices } from '../Services.js';

/** The app that a loader reads as, and its services. */
export interface ReadScope {
  services: RequestServices;
  /** Empty if the caller is not an app: then nothing is found. */
  appId: string;
}

/** The read scope of a request. `forms`: the form in which the operation needs stored documents. */
export interface ReadContext extends ReadScope {
  forms: DocumentForms;
}
