/** Pages and documents that the gateway serves at paths of the API. */
export * from './authorization.js'
export * from './authorized-application.js'
export * from './site.js'
export * from './web-client.js'
