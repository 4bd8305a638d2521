import { travelTo } from '../lib/location.js';
import { Button } from './elements.js';

/** Says why nothing can be changed while the pages show an earlier state. */
export const PastNote = ({ children }: { readonly children: string }) => (
  <div class="note">
    <p>{children}</p>
    <Button onClick={() => travelTo(undefined)}>Back to now</Button>
  </div>
);
