/**
 * Tables and columns whose names are older than the glossary, each as a constant named by the glossary's term.
 *
 * A rename in the database would break running processes of the previous release.
 */
import { sql } from '@murmuration/db'

/** Table of delivery recipients: for each local actor, the inboxes to which activities were sent, or whose server read a status. */
export const deliveryRecipients = sql`acquaintances`

/** Column of `activities`: true for the Delete of an actor. */
export const actorDeletion = sql`farewell`

/** Column of `lanes`: number of the signature scheme that the host accepted last. */
export const signatureScheme = sql`manner`

/** Column of `lanes`: time from which an unavailable host gets its next daily delivery. */
export const dailyDeliveryAt = sql`probe_at`

/** Column of `lanes`: time at which the scheme in `signatureScheme` was stored. */
export const signatureSchemeAt = sql`manner_at`

/** Table of last-writer timestamps of objects, per actor. */
export const lastWriters = sql`last_words`
