/** What statuses promises. */
export * from './events.js'
export * from './internal.js'
