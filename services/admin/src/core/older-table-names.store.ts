/**
 * Tables and columns whose names are older than the glossary, each as a constant named by the glossary's term. A rename in the
 * database would break running processes of the previous release.
 */
import { sql } from '@murmuration/db'

/** Table of final decisions of staff about accounts. */
export const accountDecisions = sql`verdicts`

/** Column of `accountDecisions`: `approve`, `reject` or `delete`. */
export const decisionKind = sql`verdict`
