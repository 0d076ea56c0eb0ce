/** Cards: JSON texts made by their owner, held briefly by readers, joined without parsing. */
export * from './card-cache.js'
export * from './splice.js'
