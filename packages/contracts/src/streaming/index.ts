/** Contracts of streaming. */
export * from './live.js'
export * from './present.js'
export * from './stream.js'
