/** Text with `code` between backticks. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/(`[^`]+`)/)
      .map((part, index) =>
        part.startsWith('`') && part.length > 2 ? <code key={index}>{part.slice(1, -1)}</code> : part,
      )}
  </>
);
