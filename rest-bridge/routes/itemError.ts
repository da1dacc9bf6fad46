/** Why an item of a batch was refused, in the shape of REST's own errors. */
export const ITEM_ERROR = `error {
          code message documentation_url: documentationUrl details_omitted: detailsOmitted
          details { code message field documentation_url: documentationUrl } }`;
