/** What notifications promises. */
export * from './events.js'
