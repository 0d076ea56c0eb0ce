/** What federation promises. */
export * from './actor.js'
export * from './inbox.js'
export * from './internal.js'
export * from './jobs.js'
export * from './nodeinfo.js'
export * from './note.js'
export * from './signed.js'
export * from './webfinger.js'
