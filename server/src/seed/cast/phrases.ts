import type { Kind } from './household.ts'

/** The part of a contact's story in which a note is written. */
export type Chapter = 'inquiry' | 'hot' | 'nurture' | 'active' | 'closed' | 'sphere' | 'trash'

/** Agents' notes by chapter and by what the contact is looking for; `any` fits everyone. Slots are in braces. */
export const phrases: Record<Chapter, Partial<Record<Kind | 'any', readonly string[]>>> = {
  inquiry: {
    any: [
      'Left a voicemail and sent a short text to introduce myself. Will try again {day}.',
      'Spoke for ten minutes. Friendly, just getting started, asked how the process works in Illinois.',
      'No answer twice. Emailed the {area} market report instead.',
      'Asked to be contacted by text only; at work until five.',
    ],
    buyer: [
      'Came through the open house at {seen}. Liked the kitchen, worried about parking. Looking for {beds} beds in {area}.',
      'Saw the listing on {seen} online. It is under contract; offered to set up a search for {area} up to {budget}.',
      'First-time buyer, not pre-approved yet. Sent the names of three lenders, among them {lender}.',
    ],
    seller: [
      'Asked for a home valuation on {street}. Sent a first range around {budget}, walkthrough to follow.',
      'Thinking of selling next spring. Roof was replaced four years ago, kitchen is original.',
    ],
    renter: ['Lease in {area} ends in ninety days. Needs {beds} beds and a place for a dog.'],
    investor: [
      'Looking for two- and three-flats in {area}, budget {budget}, wants actual rent rolls before a showing.',
    ],
  },
  hot: {
    any: [
      'Called back within the hour. Ready to move as soon as the right thing comes up. Meeting {day} at the office.',
      'Referred two questions about assessments to the attorney. Very responsive, answer fast.',
    ],
    buyer: [
      'Pre-approved to {budget} with {lender}. Letter is in the file.',
      'Buyer consultation done. Must have: {beds} beds, in-unit laundry, {feature}. Would give up: a second bath.',
      'Wants to see three places in {area} on {day}. Booked back to back from 10:30.',
      'Rate lock runs out next month, so there is some urgency. Keeping showings to twice a week.',
    ],
    seller: [
      'Walked through {street}. Agreed on paint, decluttering and a deep clean before photos. Price idea {budget}.',
      'Presented the comps for {area}. They interview one more agent, decision by {day}.',
    ],
    renter: ['Income and references check out. Three showings in {area} on {day}.'],
    investor: ['Proof of funds received. Will write on anything in {area} at seven percent or better.'],
  },
  nurture: {
    any: [
      'Checked in. Not before the school year ends. Keep on the monthly {area} update.',
      'Opened the last four market reports. Worth a call in the new quarter.',
      'Waiting for a bonus and a decision at work. Call again in about six weeks.',
      'Sent a handwritten card. Thanked me by text, still a few months out.',
    ],
    buyer: [
      'Rates are the sticking point. Went over a 2-1 buydown, will think it over with {partner}.',
      'Saving for the down payment; {lender} mentioned an assistance program, sent the link.',
    ],
    seller: ['Holding off until the basement is finished. Permit is in, contractor starts in spring.'],
    renter: ['Renewed for another year. Wants to look at buying in {area} after that.'],
    investor: ['Passed on the last two packages: taxes too high. Keep sending off-market {area}.'],
  },
  active: {
    any: ['Weekly call. Everything on track, next milestone is {day}.'],
    buyer: [
      'Showing feedback on {seen}: loved the light and {feature}, second bedroom too small for two desks. Not a no.',
      'Lost {seen} to a cash offer. Disappointed but steady. Widening the search to the blocks west of {area}.',
      'Second showing at {street} with {partner}. Measured the living room for the sofa. Writing tonight.',
      'Offer in at {street}: {budget}, 5-day inspection, close in 45. Two other offers on the table.',
      'Inspection found an old panel and a slow drain. Asking for a credit rather than repairs.',
      'Appraisal came in at the number. Clear to close expected {day}.',
    ],
    seller: [
      'Photos and floor plan done for {street}. Coming soon on {day}, open house the weekend after.',
      'Open house at {street}: 23 groups, most comments about {feature}. Three asked for disclosures.',
      'Showing feedback from two agents: priced right, but the back bedroom shows dark. Moving lamps in.',
      'Two offers on {street}. Countered the stronger one on the closing date.',
      'Attorney review finished, earnest money in. Buyers want to keep the washer and dryer.',
    ],
    renter: ['Application for the garden unit on {street} is in. Landlord decides by {day}.'],
    investor: [
      'Toured the six-flat on {street}. Rents are under market; the boiler is from 1988. Running the numbers.',
      'Offer accepted at {budget}. Estoppels and leases requested from the seller.',
    ],
  },
  closed: {
    buyer: [
      'Closed today. Keys handed over at the title company, dinner voucher from the place on the corner.',
      'Dropped by {street} a month after the move. Happy, boxes everywhere. Asked for a review, they will write one.',
      'Property tax appeal reminder sent with the township’s deadline.',
      'Home anniversary call. Asked what the place is worth now; sent an updated estimate.',
    ],
    seller: [
      'Closed on {street}. Proceeds wired the same afternoon, forwarding address is on file.',
      'Settled in at the new place. Asked for a review, they will write one.',
    ],
    renter: ['Lease signed and move-in photos filed. Reminder set for sixty days before it ends.'],
    investor: ['Closed on {street}. Introduced two property managers, first rents came in on time.'],
    any: ['Sent two names our way from the office. Thank-you note mailed.'],
  },
  sphere: {
    any: [
      'Met at the {area} block party. Owns on {street}, not moving, knows everyone.',
      'Coffee on {day}. Will pass my card to a colleague who relocates in the summer.',
      'Helped with a contractor for the porch. Good person to stay in touch with.',
      'Came to the client appreciation evening with {partner}.',
    ],
  },
  trash: {
    any: [
      'Number belongs to someone else, email bounces.',
      'Works with an agent already and has signed with them. Wished them luck.',
      'Was after a short-term rental. Not something we do.',
      'Asked not to be contacted any more. Closed out.',
    ],
  },
}

/** One-line summaries for the contact's `notes`. */
export const summaries: Record<Kind, readonly string[]> = {
  buyer: [
    'Wants {beds} beds in {area}, up to {budget}. {feature} would decide it.',
    'Pre-approval with {lender}. Decides together with {partner}; evenings are best.',
    'Relocating for work, start date fixed. {area} first, open to anything within half an hour of the Loop.',
  ],
  seller: [
    'Owns {street}. Would list around {budget} if the next place is found first.',
    'Selling {street} to downsize. {partner} handles the paperwork.',
  ],
  renter: ['Renting in {area}, {beds} beds, one dog. May buy in a year or two.'],
  investor: ['Buys two- to six-flats in {area}, {budget} and under. Wants numbers, not brochures.'],
}
