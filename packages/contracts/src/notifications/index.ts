/** What notifications promises. */
export * from './events.js'
export * from './internal.js'
