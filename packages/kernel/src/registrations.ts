/** How accounts can be created on this server: by the setting of staff, and by SINGLE_USER_MODE (S-036). */
import type { InstanceSettings } from '@murmuration/contracts/admin'
import { bool, type ConfigOf, type Settings } from './settings.js'

/** Settings of services that show or decide whether registrations are open. */
export const registrationSettings = {
  singleUser: bool('SINGLE_USER_MODE', { or: false, about: 'The server has a single user; sign-ups are closed.' }),
} satisfies Settings

/** How accounts can be created. A server with a single user accepts no sign-ups, whatever staff set. */
export const registrationsMode = (
  config: ConfigOf<typeof registrationSettings>,
  settings: Pick<InstanceSettings, 'registrations_mode'>,
): InstanceSettings['registrations_mode'] => (config.singleUser ? 'none' : settings.registrations_mode)
