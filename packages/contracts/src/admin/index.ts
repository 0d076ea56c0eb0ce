/** What admin promises. */
export * from './events.js'
export * from './policy.js'
export * from './setting.js'
