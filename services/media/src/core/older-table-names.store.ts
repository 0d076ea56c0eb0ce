/**
 * Tables whose names are older than the glossary, each as a constant named by the glossary's term. A rename in the database would
 * break running processes of the previous release.
 */
import { sql } from '@murmuration/db'

/** Table of hosts to which requests are paused. */
export const pausedHosts = sql`silent_hosts`

/** Table of unused files: keys of files to which no row refers. */
export const unusedFiles = sql`loose_files`
