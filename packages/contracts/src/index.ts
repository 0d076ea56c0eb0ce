/** All contracts: entities, operations, events and jobs. */
export * as accounts from './accounts/index.js'
export * as admin from './admin/index.js'
export * from './entities/index.js'
export * as federation from './federation/index.js'
export * from './kit/index.js'
export * as media from './media/index.js'
export * as notifications from './notifications/index.js'
export * as statuses from './statuses/index.js'
