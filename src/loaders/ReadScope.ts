import type { DocumentForms } from '../documents/DocumentForms.js';
import type { RequestServices } from '../Services.js';
import type { SharedReads } from './SharedReads.js';

export interface ReadServices extends RequestServices {
  /** Reads that requests share. */
  reads: SharedReads;
}

/** The app that a loader reads as, and its services. */
export interface ReadScope {
  services: RequestServices;
  /** Empty where the caller is no app: then nothing is found. */
  appId: string;
}

/** The same of a request, whose operation needs documents in a form. */
export interface ReadContext extends ReadScope {
  services: ReadServices;
  forms: DocumentForms;
}
