/** What notifications promises. */
export * from './events.js'
export * from './internal.js'
export * from './jobs.js'
export * from './marker.js'
export * from './notification.js'
export * from './push-subscription.js'
