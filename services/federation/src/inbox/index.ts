/** Names of this module that other modules use. */
export { type AccountCache, createAccountCache } from './account-cache.js'
export { createIntake, type Intake } from './intake.js'
export { createRefusals, type Refusals } from './refusals.js'
export { createStatusUpsert, type UpsertStatus } from './status-upsert.js'
export { createWorkerSlots, type WorkerSlots } from './worker-slots.js'
