/** What streaming promises. */
export * from './stream.js'
