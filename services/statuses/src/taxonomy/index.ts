/** Decisions of staff about hashtags, trends and publishers, as the audit log records them. */
export { announceTaxonomy, recordedTaxonomy } from './announce.js'
export type { TaxonomyKind } from './store.js'
