/** Cards: JSON text of entities, rendered by the owning service, cached by others, and joined without parsing. */
export * from './card-cache.js'
export * from './splice.js'
