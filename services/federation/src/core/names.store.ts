/**
 * Tables and columns whose names are older than the glossary. Each is written here once, behind the term of the glossary.
 *
 * A rename would break processes of the release before, which still use the old name.
 */
import { sql } from '@murmuration/db'

/** Table of delivery recipients: the inboxes that ever received an activity of an actor. */
export const deliveryRecipients = sql`acquaintances`

/** Column of `activities`: true for the Delete of an actor. */
export const actorDeletion = sql`farewell`

/** Column of `lanes`: number of the signature scheme that the host accepted last. */
export const signatureScheme = sql`manner`
