/** What streaming promises. */
export * from './live.js'
export * from './stream.js'
