/** Declares the live messages for every open connection of every account. */
import { live } from '../kit/index.js'

/** `live.everyone.announcement`: new and deleted announcements, and emoji reactions. Messages contain a payload or an id. */
export const liveEveryone = live('everyone', 'Announcements, for the connections of all accounts.')
