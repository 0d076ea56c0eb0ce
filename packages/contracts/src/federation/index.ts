/** What federation promises. */
export * from './internal.js'
