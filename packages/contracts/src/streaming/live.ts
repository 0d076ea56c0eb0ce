/** Messages for every open connection of every account. */
import { live } from '../kit/index.js'

/** `live.everyone.announcement`: announcements appear, get reactions, and go. Messages are ready payloads, or an id. */
export const liveEveryone = live('everyone', 'Announcements, for the connections of everybody who is signed in.')
