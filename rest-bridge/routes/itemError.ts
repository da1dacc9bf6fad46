/** Why an item of a batch was refused, in the shape of REST's own errors. */
export const ITEM_ERROR =
  'error { code message documentationUrl detailsOmitted details { code message field documentationUrl } }';
