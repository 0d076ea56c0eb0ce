/** What media promises. */
export * from './attachment.js'
export * from './day-count.js'
export * from './emoji.js'
export * from './internal.js'
export * from './jobs.js'
export * from './proxy.js'
export * from './staged-file.js'
