/** Decisions of staff about hashtags, trends and publishers, as the audit log records them. */
export { announceTaxonomies, announceTaxonomy, recordedTaxonomy } from './announce.js'
export { lockTaxonomies, type TaxonomyKind } from './store.js'
