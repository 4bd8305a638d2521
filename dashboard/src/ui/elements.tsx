import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatStatus } from '../../../src/engine/lib/reasons.js';
import type { ControlError } from '../lib/api.js';
import { copyText } from '../lib/clipboard.js';
import { formatAge, formatTime } from '../lib/format.js';
import { sandboxTime } from '../lib/live.js';
import { href, type Query } from '../lib/location.js';
import { Icon, type IconName } from './icons.js';
import { toast } from './toast.js';

/** The small parts of all pages. */

interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  /** Name for a button that shows an icon only, and a tooltip. */
  readonly label?: string;
  readonly kind?: 'primary' | 'danger' | 'plain';
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** Whether what the button opens is open. */
  readonly expanded?: boolean;
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
}

export const Button = ({
  children,
  icon,
  label,
  kind,
  disabled,
  pressed,
  expanded,
  type = 'button',
  onClick,
}: ButtonProps) => (
  <button
    type={type}
    class={`button ${kind ?? ''} ${children === undefined ? 'icon-only' : ''}`}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    aria-expanded={expanded}
    disabled={disabled}
    onClick={onClick}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

/** A button for a request to the emulator: it is disabled meanwhile, and shows an error as a toast. */
export function ActionButton({
  action,
  done,
  ...props
}: Omit<ButtonProps, 'onClick'> & {
  readonly action: () => Promise<unknown>;
  /** Message of success. */
  readonly done?: string;
}) {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await action();
      if (done !== undefined) toast(done);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'error');
    } finally {
      setBusy(false);
    }
  };
  return <Button {...props} disabled={isBusy || props.disabled === true} onClick={() => void run()} />;
}

export function CopyButton({
  text,
  children,
  label = 'Copy',
}: {
  readonly text: string | (() => string);
  readonly children?: ComponentChildren;
  readonly label?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  // A button with a text may be in a menu, which closes.
  const done = children === undefined ? {} : { done: 'Copied.' };
  return (
    <ActionButton
      icon={isCopied ? 'check' : 'copy'}
      kind="plain"
      label={isCopied ? 'Copied' : label}
      action={copy}
      {...done}
    >
      {children}
    </ActionButton>
  );
}

/** A link to a page of the dashboard. */
export const Link = ({
  to,
  query,
  children,
  current,
  ...attributes
}: {
  readonly to: string;
  readonly query?: Query;
  readonly current?: boolean;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly title?: string;
  readonly 'aria-label'?: string;
}) => (
  <a {...attributes} href={href(to, query)} aria-current={current ? 'page' : undefined}>
    {children}
  </a>
);

/** The frame of a page: its title, its buttons and its content. */
export function Page({
  title,
  windowTitle = title,
  subtitle,
  actions,
  children,
  fills = false,
}: {
  readonly title: string;
  /** What the tab of the browser shows. Default: the title */
  readonly windowTitle?: string;
  readonly subtitle?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Whether the content fills the height of the window and scrolls by itself. */
  readonly fills?: boolean;
}) {
  useEffect(() => {
    document.title = `${windowTitle} – val-emulator`;
  }, [windowTitle]);
  return (
    <div class={fills ? 'page fills' : 'page'}>
      <header class="page-header">
        <div>
          <h1>{title}</h1>
          {subtitle !== undefined && <p class="muted">{subtitle}</p>}
        </div>
        <div class="actions">{actions}</div>
      </header>
      {children}
    </div>
  );
}

/** A titled box. */
export const Panel = ({
  title,
  actions,
  children,
  class: name = '',
}: {
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}) => (
  <section class={`panel ${name}`}>
    {(title !== undefined || actions !== undefined) && (
      <header>
        <h2>{title}</h2>
        <div class="actions">{actions}</div>
      </header>
    )}
    {children}
  </section>
);

export const Badge = ({ children, kind = '' }: { readonly children: ComponentChildren; readonly kind?: string }) => (
  <span class={`badge ${kind}`}>{children}</span>
);

/**
 * A status of HTTP, colored by its class, but not if no client has got it. 0 stands for a connection that was reset.
 * @param message of a request that was refused: a tool call with the status 200 is an error then
 */
export const StatusBadge = ({
  status,
  message = null,
  isAborted = false,
}: {
  readonly status: number;
  readonly message?: string | null;
  readonly isAborted?: boolean;
}) => {
  const shown = status === 0 ? 'reset' : formatStatus({ status, message });
  const kind = status === 0 ? 5 : shown.endsWith('error') ? 4 : Math.floor(status / 100);
  return <Badge kind={isAborted ? '' : `s${kind}`}>{shown}</Badge>;
};

export const MethodBadge = ({ method }: { readonly method: string }) => <span class="method">{method}</span>;

/** How long ago a time is, by the clock of the sandbox; the exact time as a tooltip. */
export const Age = ({ time }: { readonly time: string }) => (
  <time dateTime={time} title={formatTime(time)}>
    {formatAge(time, sandboxTime())}
  </time>
);

/** Says that there is nothing, and what to do about it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

/** What is shown in place of content that could not be read. */
export const ErrorMessage = ({ error }: { readonly error: ControlError | Error }) => (
  <div class="error-message" role="alert">
    <Icon name="warning" />
    <div>
      <p>{error.message}</p>
      {'problems' in error && error.problems.length > 0 && (
        <ul>
          {error.problems.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  </div>
);

/** A labelled control. */
export const Field = ({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child
  <label class="field">
    <span class="field-label">{label}</span>
    {children}
    {hint !== undefined && <span class="field-hint">{hint}</span>}
  </label>
);

/** Names and values, one pair in a line. */
export const Properties = ({ items }: { readonly items: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="properties">
    {Object.entries(items).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Tabs of which one is selected; the content is the caller's. */
export const Tabs = <T extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly title: ComponentChildren }[];
  readonly selected: T;
  readonly onSelect: (id: T) => void;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a group of inputs
  <div class="tabs" role="group" aria-label={label}>
    {tabs.map(({ id, title }) => (
      <button key={id} type="button" class="tab" aria-pressed={id === selected} onClick={() => onSelect(id)}>
        {title}
      </button>
    ))}
  </div>
);
