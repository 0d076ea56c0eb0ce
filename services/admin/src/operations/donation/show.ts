/** No campaign for donations runs here, which clients learn by an answer without a body. */
import { donationCampaign } from '@murmuration/contracts/admin'
import { reply } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'

export const showDonationCampaign = handle(donationCampaign, async () => reply('', { status: 204 }))
