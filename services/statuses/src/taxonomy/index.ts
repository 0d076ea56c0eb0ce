/** The exports of this module for other modules. */
export { announceTaxonomies, announceTaxonomy, recordedTaxonomy } from './announce.js'
export { kindOf, RECORDED } from './rules.js'
export { lockTaxonomies, storeTaxonomies, type TaxonomyKind, type TaxonomyState } from './store.js'
export { announceUnusable } from './unusable.js'
