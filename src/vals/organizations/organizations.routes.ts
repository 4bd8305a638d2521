import { Type } from 'typebox';
import { Page, PagingQuery, page } from '#engine/api/pagination.js';
import { uuid } from '#engine/schema/common.js';
import { route } from '#vals/lib/route.schema.js';
import { MembershipItem, membershipView, OrganizationItem, organizationView } from '#vals/projects/projects.schema.js';
import { getUser } from '#vals/users/users.rules.js';
import { getOrganization, listMemberships, listOrganizations } from './organizations.rules.js';

export const organizationRoutes = [
  route('GET', '/v2/orgs', 'List the organizations of the current user', {
    id: 'listOrganizations',
    description: 'Returns the organizations of which the caller is a member.',
    unofficial: true,
    auth: 'required',
    scope: 'user:read',
    query: PagingQuery,
    response: Page('OrganizationPage', OrganizationItem),
    errors: [400, 401, 403],
    rules: {
      record: ['list: The list has the organizations of the caller, by limit and offset.'],
      chosen: ['order: The order is that in which the caller joined them.'],
    },
    handle: ({ state, caller, query, links }) => page(listOrganizations(state, caller), query, links, organizationView),
  }),
  route('GET', '/v2/orgs/{org_id}/memberships', 'List the members of an organization', {
    id: 'listMemberships',
    description: 'Returns all members with their roles, without pages.',
    unofficial: true,
    auth: 'required',
    scope: 'user:read',
    params: Type.Object({ org_id: uuid('Id of an organization') }),
    response: Type.Array(MembershipItem),
    errors: [400, 401, 403, 404],
    rules: {
      record: ['list: The response is a list, without pages. A member has a role, `owner` or `member`.'],
      chosen: [
        'member: Only members see them; another organization is a 404.',
        'order: The order is that in which they joined.',
      ],
    },
    handle: ({ state, caller, params }) =>
      listMemberships(state, getOrganization(state, params.org_id, caller)).map((membership) =>
        membershipView(membership, getUser(state, membership.userId)),
      ),
  }),
];
