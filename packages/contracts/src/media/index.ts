/** What media promises. */
export * from './internal.js'
