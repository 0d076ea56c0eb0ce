/**
 * Tables and columns whose names are older than the glossary, each as a constant named by the glossary's term. A rename in the
 * database would break running processes of the previous release.
 */
import { sql } from '@murmuration/db'

/** Column of `held_replies`: true if the reply needs an approval of its own. */
export const needsOwnApproval = sql`asks`

/** Column of `held_replies`: true if the reply was announced to followers and other services. */
export const isAnnounced = sql`told`

/** Column of `reply_approvals`: order of the next checks of approvals. The lowest value is first. */
export const checkOrder = sql`turn`

/** Column of `reply_approvals`: id of the status to which the reply responds. */
export const parentId = sql`answered_id`

/** Table of authorizations by which authors allow quotes of their statuses. */
export const quoteAuthorizations = sql`quote_stamps`
