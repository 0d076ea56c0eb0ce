/** The kit: what contracts are written with. */
export * from './audience.js'
export * from './errors.js'
export * from './http.js'
export * from './input.js'
export * from './json.js'
export * from './message.js'
export * from './operation.js'
export * from './output.js'
