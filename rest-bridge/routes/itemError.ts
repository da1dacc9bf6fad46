/** The selection of a batch item's error, in REST's error format. */
export const ITEM_ERROR =
  'error { code message documentationUrl detailsOmitted details { code message field documentationUrl } }';
