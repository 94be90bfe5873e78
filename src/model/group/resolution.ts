/** A person's decision about a finding of a review: accept it, have it fixed, discuss it, or leave it open. */
export const resolutions = ['approve', 'task', 'discuss', 'skip'] as const
