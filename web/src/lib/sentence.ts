// What to show of anything that went wrong.

import { ApiProblem } from './api';
import { t } from './i18n.svelte';
import { withRule } from './rules.svelte';

/** A refusal speaks for itself. What a browser says of a mistake of ours is for whoever opens its console. */
export function sentence(problem: unknown): string {
  if (problem instanceof ApiProblem) return withRule(problem.text, problem.paragraph);
  console.error(problem);
  return t('This screen has a fault. Load it again.');
}
