// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/filter.h"
#include "core/analysis/filter_node.h"
#include "core/analysis/filter_operand.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

constexpr int kMostNested = 100; // parentheses and nots

constexpr std::array<std::pair<std::string_view, FilterField>, 17> kFields = {{
    {"name", FilterField::Name},
    {"cat", FilterField::Category},
    {"kind", FilterField::Kind},
    {"lane", FilterField::Lane},
    {"thread", FilterField::Thread},
    {"stream", FilterField::Stream},
    {"device", FilterField::Device},
    {"rank", FilterField::Rank},
    {"step", FilterField::Step},
    {"op", FilterField::Operator},
    {"module", FilterField::Module},
    {"shape", FilterField::Shape},
    {"dtype", FilterField::Dtype},
    {"dur", FilterField::Duration},
    {"self", FilterField::Self},
    {"delay", FilterField::Delay},
    {"start", FilterField::Start},
}};

constexpr std::array<std::pair<std::string_view, FilterCompare>, 6> kCompares = {{
    {"==", FilterCompare::Equal},
    {"!=", FilterCompare::NotEqual},
    {"<=", FilterCompare::LessOrEqual},
    {">=", FilterCompare::GreaterOrEqual},
    {"<", FilterCompare::Less},
    {">", FilterCompare::Greater},
}};

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class Parser
{
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {}

    std::shared_ptr<const FilterNode> parse()
    {
        skipBlanks();
        if (atEnd())
            return nullptr;
        auto root = std::make_shared<FilterNode>(either());
        if (!atEnd())
            fail("')' without '('");
        return root;
    }

private:
    [[noreturn]] void failAt(std::size_t at, const std::string &what) const
    {
        const std::string_view before = m_text.substr(0, at);
        const auto column = std::count_if(before.begin(), before.end(),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
        throw FilterError(what, static_cast<std::size_t>(column) + 1);
    }
    [[noreturn]] void fail(const std::string &what) const { failAt(m_at, what); }

    bool atEnd() const { return m_at == m_text.size(); }
    char peek() const { return m_text[m_at]; }
    bool startsWith(std::string_view part) const { return m_text.substr(m_at).starts_with(part); }
    void skipBlanks()
    {
        while (!atEnd() && isBlank(peek()))
            ++m_at;
    }

    // The bare word here, which ends at a blank or parenthesis.
    std::string_view word() const
    {
        std::size_t end = m_at;
        while (end < m_text.size() && !isBlank(m_text[end]) && m_text[end] != '(' && m_text[end] != ')')
            ++end;
        return m_text.substr(m_at, end - m_at);
    }
    bool takeWord(std::string_view keyword)
    {
        if (!isKeyword(word(), keyword))
            return false;
        m_at += keyword.size();
        skipBlanks();
        return true;
    }

    static FilterNode joined(FilterNode::Type type, std::vector<FilterNode> children)
    {
        if (children.size() == 1)
            return std::move(children.front());
        FilterNode node;
        node.type = type;
        node.children = std::move(children);
        return node;
    }

    FilterNode either()
    {
        std::vector<FilterNode> children;
        do
            children.push_back(all());
        while (takeWord("or"));
        return joined(FilterNode::Type::Or, std::move(children));
    }

    FilterNode all()
    {
        std::vector<FilterNode> children;
        do
            children.push_back(negated());
        while (takeWord("and") || (!atEnd() && peek() != ')' && !isKeyword(word(), "or")));
        return joined(FilterNode::Type::And, std::move(children));
    }

    FilterNode negated()
    {
        if (++m_nested > kMostNested)
            fail("too many parentheses within each other");
        FilterNode node;
        if (takeWord("not")) {
            node.type = FilterNode::Type::Not;
            node.children.push_back(negated());
        } else if (!atEnd() && peek() == '(') {
            const std::size_t open = m_at++;
            skipBlanks();
            node = either();
            if (atEnd())
                failAt(open, "'(' without ')'");
            ++m_at;
            skipBlanks();
        } else {
            node = term();
            skipBlanks();
        }
        --m_nested;
        return node;
    }

    FilterNode term()
    {
        if (atEnd())
            fail("something to look for is missing");
        if (peek() == ')')
            fail("something to look for is missing before ')'");
        if (isKeyword(word(), "and") || isKeyword(word(), "or"))
            fail("something to look for is missing before '" + std::string(word()) + "'");
        if (peek() == '/')
            return regex();
        const std::size_t first = m_at;
        FilterNode node;
        if (takeField(node)) {
            if (!atEnd() && peek() == ':') {
                ++m_at;
            } else {
                skipBlanks();
                node.compare = *compareHere();
                m_at += node.compare == FilterCompare::Less || node.compare == FilterCompare::Greater ? 1 : 2;
                skipBlanks();
            }
            takeValue(node, first);
            return node;
        }
        if (compareHere() || peek() == '=')
            fail("a field is missing before '" + std::string(1, peek()) + "'");
        node.value = quotedOrWord();
        const std::size_t end = m_at;
        skipBlanks();
        if (!atEnd() && (compareHere() || startsWith("= ")))
            failAt(first, "'" + node.value.text + "' is no field");
        m_at = end;
        return node;
    }

    FilterNode regex()
    {
        const std::size_t first = m_at++;
        std::string pattern;
        for (;; ++m_at) {
            if (atEnd())
                failAt(first, "'/' without a second one");
            if (peek() == '/')
                break;
            if (peek() == '\\' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '/')
                ++m_at;
            else if (peek() == '\\' && m_at + 1 < m_text.size())
                pattern += m_text[m_at++];
            pattern += peek();
        }
        ++m_at;
        auto match = std::make_shared<NameMatch>();
        if (const auto error = match->requirePattern(pattern))
            failAt(first, *error);
        FilterNode node;
        node.regex = std::move(match);
        return node;
    }

    // A field with a colon behind it, or a comparison behind it and blanks.
    bool takeField(FilterNode &node)
    {
        const std::size_t first = m_at;
        std::string_view found;
        for (const auto &[name, field] : kFields) {
            if (startsWith(name) && name.size() > found.size()) {
                found = name;
                node.field = field;
            }
        }
        m_at += found.size();
        if (found.empty() && startsWith(kArgumentPrefix)) {
            m_at += kArgumentPrefix.size();
            node.field = FilterField::Argument;
            node.key = argumentKey();
        } else if (found.empty()) {
            return false;
        }
        const std::size_t behind = m_at;
        skipBlanks();
        const bool isField = (behind < m_text.size() && m_text[behind] == ':') || compareHere();
        m_at = isField ? behind : first;
        if (!isField)
            node = FilterNode();
        return isField;
    }

    std::string argumentKey()
    {
        if (!atEnd() && peek() == '"')
            return quoted();
        const std::size_t first = m_at;
        while (!atEnd() && !isBlank(peek()) && peek() != ':' && peek() != '(' && peek() != ')' && !compareHere())
            ++m_at;
        return std::string(m_text.substr(first, m_at - first));
    }

    std::optional<FilterCompare> compareHere() const
    {
        for (const auto &[sign, compare] : kCompares) {
            if (startsWith(sign))
                return compare;
        }
        return {};
    }

    std::string quoted()
    {
        const std::size_t first = m_at++;
        std::string text;
        for (;; ++m_at) {
            if (atEnd())
                failAt(first, "a quotation mark without a second one");
            if (peek() == '"')
                break;
            if (peek() == '\\' && m_at + 1 < m_text.size())
                ++m_at;
            text += peek();
        }
        ++m_at;
        return text;
    }

    FilterText quotedOrWord()
    {
        if (peek() == '"')
            return {quoted(), true};
        // Dimensions may have blanks: [32, 56].
        std::size_t end = m_at + word().size();
        if (peek() == '[' && m_text.find(']', m_at) != std::string_view::npos)
            end = std::max(end, m_text.find(']', m_at) + 1);
        const std::string_view text = m_text.substr(m_at, end - m_at);
        m_at = end;
        return {std::string(text), false};
    }

    void takeValue(FilterNode &node, std::size_t first)
    {
        if (atEnd() || peek() == ')' || (isBlank(peek()) && node.compare == FilterCompare::Has))
            fail("a value is missing");
        const std::size_t at = m_at;
        node.value = quotedOrWord();
        node.isAny = !node.value.isQuoted && node.value.text == "*" && node.compare == FilterCompare::Has;
        if (node.isAny)
            return;
        if (isOrder(node.compare) && !hasOrder(node.field))
            failAt(first, "a text cannot be larger or smaller: use : or == or !=");
        if (const auto error = readOperand(node))
            failAt(at, *error);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_nested = 0;
};

} // namespace

std::span<const std::pair<std::string_view, FilterField>> filterFields()
{
    return kFields;
}

std::shared_ptr<const FilterNode> parseFilter(std::string_view text)
{
    return Parser(text).parse();
}

} // namespace ks
