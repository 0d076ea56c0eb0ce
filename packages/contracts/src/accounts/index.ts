/** What accounts promises. */
export * from './events.js'
export * from './internal.js'
