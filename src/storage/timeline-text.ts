// The timeline of a workspace as text: the actions since another moment.
import { z } from 'zod'
import { Timeline, timelineEntry } from '../workspaces/timeline.ts'

/** The actions since another moment, with their total number. */
export const timelineForm = z.object({
  count: z.int(),
  added: z.array(timelineEntry),
})

export type TimelineText = z.output<typeof timelineForm>

export function timelineText(timeline: Timeline, before = Timeline.empty): TimelineText {
  return { count: timeline.count, added: [...timeline.since(before)] }
}

/** @param before the timeline at the moment that the text continues. */
export function readTimeline({ count, added }: TimelineText, before: Timeline): Timeline {
  return new Timeline(before.with(added).entries, count)
}
